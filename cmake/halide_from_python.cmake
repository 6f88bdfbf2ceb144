# Where pip put Halide as a build requirement of the Python package, at the end of the prefix path.
include_guard(GLOBAL)

find_package(Python 3.10 REQUIRED COMPONENTS Interpreter)
execute_process(
  COMMAND
    ${Python_EXECUTABLE} -c
    "import importlib.util; spec = importlib.util.find_spec('halide'); print(spec.submodule_search_locations[0] if spec else '')"
  OUTPUT_VARIABLE halide_folder
  OUTPUT_STRIP_TRAILING_WHITESPACE
  COMMAND_ERROR_IS_FATAL ANY
)
if(halide_folder)
  list(APPEND CMAKE_PREFIX_PATH ${halide_folder}/lib64/cmake)
  # It asks for Python's development files and is of no use here.
  set(CMAKE_DISABLE_FIND_PACKAGE_Halide_Python ON)
endif()
