"""Takes the schedule out of schedules/README.md: usage: readme_schedule.py README FOLDER"""

import pathlib
import re
import sys

text = pathlib.Path(sys.argv[1]).read_text()
name = re.search(r"`([a-z_]+\.schedule\.h)`, anywhere", text).group(1)
code = re.search(r"```cpp\n(.*?)```", text, re.DOTALL).group(1)
folder = pathlib.Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
path = folder / name
if not path.exists() or path.read_text() != code:
    path.write_text(code)
print(path)
