# The warnings and sanitizer settings of every C++ target of this project.
include_guard(GLOBAL)

# For targets that exist at build time alone, which no preset sanitizes.
function(roipool_target_warnings target)
  target_compile_options(
    ${target}
    PRIVATE -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion $<$<BOOL:${ROIPOOL_WARNINGS_AS_ERRORS}>:-Werror>
  )
endfunction()

function(roipool_target_defaults target)
  roipool_target_warnings(${target})
  if(ROIPOOL_SANITIZE_ADDRESS)
    target_compile_options(
      ${target}
      PRIVATE -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
    )
    target_link_options(${target} PRIVATE -fsanitize=address,undefined)
  endif()
endfunction()
