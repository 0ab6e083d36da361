"""Runs commands of the aws CLI one after the other in one process: to start it and to read its models takes seconds each time.

Reads lines of JSON (the arguments), answers each with a line of JSON: exit code, standard output, standard error.
"""

import contextlib
import io
import json
import sys

from awscli.clidriver import create_clidriver

answers = sys.stdout
driver = create_clidriver()

for line in sys.stdin:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = driver.main(json.loads(line))
        except SystemExit as end:
            code = end.code
    answers.write(json.dumps({"code": code, "stdout": out.getvalue(), "stderr": err.getvalue()}) + "\n")
    answers.flush()
