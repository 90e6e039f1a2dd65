"""`run`, in a checkout of its own, with a toy Python, pip and apt that note what they are asked to do."""

from __future__ import annotations

import os
import shutil
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

_PATIENCE_S = 60
_ROOT = Path(__file__).parent.parent
_TOOLS = {"awk", "bash", "cat", "chown", "cp", "df", "dirname", "env", "flock", "grep", "id", "mkdir", "mktemp"}
_TOOLS |= {"readlink", "rm", "sed", "sleep", "tail"}

_PYTHON = r"""#!/bin/bash
echo "$*" >>"$TOYS/calls"
case "$*" in
"-c import sys"*) [[ ! -e $TOYS/too-old ]] ;;
"-c import ensurepip") [[ ! -e $TOYS/no-venv ]] ;;
"-c import platform"*) echo 3.12.1 ;;
"-m venv "*) mkdir -p "${!#}/bin" && cp "$0" "${!#}/bin/python" ;;
"-m pip install "*)
    if [[ -p $TOYS/gate ]]; then read -r <"$TOYS/gate"; fi
    if [[ -e $TOYS/pulled-plug ]]; then kill -9 $PPID; fi
    if [[ -e $TOYS/pip-says ]]; then cat "$TOYS/pip-says" >&2 && exit 1; fi
    for tool in companion ruff mypy lint-imports; do cp "$TOYS/tool" "${0%/*}/$tool"; done ;;
esac
"""
_APT = r"""#!/bin/bash
echo "apt-get $* $DEBIAN_FRONTEND" >>"$TOYS/calls"
[[ $* != *install* ]] || rm -f "$TOYS/no-venv"
[[ $* != *gcc-avr* ]] || cp "$TOYS/tool" "${0%/*}/avr-gcc"
"""
_TOOL = r"""#!/bin/bash
echo "${0##*/} $*" >>"$TOYS/calls"
echo "${0##*/} in $PWD: $*"
[[ ! -e $TOYS/${0##*/}-fails ]]
"""


class Start(NamedTuple):
    """How a start ended, and what it said."""

    returncode: int
    stdout: str
    stderr: str


class Checkout:
    """A folder with `run` and `pyproject.toml` in it, and nothing on the PATH but what `run` may count on."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "my castle"
        self.bin = folder / "bin"
        self.toys = folder / "toys"
        self.elsewhere = folder / "elsewhere"
        for made in (self.root, self.bin, self.toys, self.elsewhere, self.root / ".ci"):
            made.mkdir()
        for name in ("run", ".ci/run", "pyproject.toml"):
            shutil.copy(_ROOT / name, self.root / name)
        for tool in _TOOLS:
            (self.bin / tool).symlink_to(shutil.which(tool) or tool)
        self.stub("python3", _PYTHON)
        for compiler in ("avr-gcc", "gcc", "make"):
            self.stub(compiler, _TOOL)
        self.toy("tool", _TOOL)
        (self.toys / "tool").chmod(0o755)

    def stub(self, name: str, text: str) -> None:
        """Put a command of ours on the PATH."""
        (self.bin / name).unlink(missing_ok=True)
        (self.bin / name).write_text(text)
        (self.bin / name).chmod(0o755)

    def toy(self, name: str, text: str = "") -> None:
        """Something the stubs look at."""
        (self.toys / name).write_text(text)

    @property
    def environ(self) -> dict[str, str]:
        return {"PATH": str(self.bin), "HOME": str(self.toys), "TOYS": str(self.toys), "TMPDIR": str(self.toys)}

    def open(self, *words: str, script: Path | None = None, **environ: str) -> subprocess.Popen[str]:
        """Begin a start."""
        return subprocess.Popen(
            [str(script or self.root / "run"), *words],
            env=self.environ | environ,
            cwd=self.elsewhere,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def start(self, *words: str, script: Path | None = None, **environ: str) -> Start:
        """Start and wait for the end."""
        with self.open(*words, script=script, **environ) as process:
            stdout, stderr = process.communicate(timeout=_PATIENCE_S)
            return Start(process.returncode, stdout, stderr)

    def calls(self, of: str = "") -> list[str]:
        """What was asked of the stubs since the last look, as far as it begins with `of`."""
        noted = self.toys / "calls"
        lines = noted.read_text().splitlines() if noted.exists() else []
        noted.unlink(missing_ok=True)
        return [line for line in lines if line.startswith(of)]


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


def test_first_start_sets_up_and_starts_where_it_was_called(checkout: Checkout) -> None:
    done = checkout.start("score", "castle-dukes", "my tally.json")
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"companion in {checkout.elsewhere}: score castle-dukes my tally.json\n"
    assert "Making .venv with Python 3.12.1" in done.stderr
    assert "Installing Castle Companion" in done.stderr


def test_second_start_sets_up_nothing(checkout: Checkout) -> None:
    checkout.start("games")
    checkout.calls()
    done = checkout.start("games")
    assert checkout.calls() == ["companion games"]
    assert done.stderr == ""


def test_starts_through_a_symlink(checkout: Checkout) -> None:
    link = checkout.elsewhere / "castle"
    link.symlink_to(checkout.root / "run")
    assert checkout.start("games", script=link).returncode == 0
    assert (checkout.root / ".venv").is_dir()


def test_exit_code_is_the_companions(checkout: Checkout) -> None:
    checkout.toy("companion-fails")
    assert checkout.start("games").returncode == 1


def test_changed_dependencies_are_installed_into_the_same_venv(checkout: Checkout) -> None:
    checkout.start("games")
    checkout.calls()
    project = checkout.root / "pyproject.toml"
    project.write_text(project.read_text() + "\n# one more\n")
    checkout.start("games")
    calls = checkout.calls("-m")
    assert any(call.startswith("-m pip install") for call in calls)
    assert not any(call.startswith("-m venv") for call in calls)


def _broken_off(checkout: Checkout) -> None:
    checkout.toy("pulled-plug")
    assert checkout.start("games").returncode == -9
    (checkout.toys / "pulled-plug").unlink()


def _python_gone(checkout: Checkout) -> None:
    checkout.start("games")
    (checkout.root / ".venv/bin/python").unlink()


def _moved(checkout: Checkout) -> None:
    checkout.start("games")
    checkout.root = checkout.root.rename(checkout.root.with_name("moved castle"))


@pytest.mark.parametrize("mishap", [_broken_off, _python_gone, _moved])
def test_a_venv_that_is_no_good_is_made_anew(checkout: Checkout, mishap: Callable[[Checkout], None]) -> None:
    mishap(checkout)
    leftover = checkout.root / ".venv/leftover"
    leftover.touch()
    checkout.calls()
    assert checkout.start("games").returncode == 0
    assert len(checkout.calls("-m venv")) == 1
    assert not leftover.exists()


def test_a_removed_command_is_put_back(checkout: Checkout) -> None:
    checkout.start("games")
    (checkout.root / ".venv/bin/companion").unlink()
    assert checkout.start("games").returncode == 0


def test_two_starts_at_once_set_up_once(checkout: Checkout) -> None:
    gate_path = checkout.toys / "gate"
    os.mkfifo(gate_path)
    with gate_path.open("r+b", buffering=0) as gate, checkout.open("games") as first:
        assert first.stderr is not None
        assert any("Making .venv" in line for line in iter(first.stderr.readline, ""))
        with checkout.open("games") as second:
            assert second.stderr is not None
            assert "waiting" in second.stderr.readline()
            gate.write(b"go\n")
            second.communicate(timeout=_PATIENCE_S)
        first.communicate(timeout=_PATIENCE_S)
    assert (first.returncode, second.returncode) == (0, 0)
    calls = checkout.calls()
    assert len([call for call in calls if call.startswith("-m pip install")]) == 1
    assert calls.count("companion games") == 2


@pytest.mark.parametrize(
    ("said", "remedy"),
    [
        ("Temporary failure in name resolution", "network"),
        ("ERROR: No matching distribution found for msgspec", "network"),
        ("OSError: [Errno 28] No space left on device", "Free some space"),
        ("ERROR: Operation cancelled by user", "whenever you like"),
        ("OSError: [Errno 13] Permission denied: 'x'", "another user"),
        ("error: subprocess-exited-with-error", "Deleting .venv"),
    ],
)
def test_a_failed_installation_says_what_to_do(checkout: Checkout, said: str, remedy: str) -> None:
    checkout.toy("pip-says", said)
    done = checkout.start("games")
    assert done.returncode == 1
    assert said in done.stderr
    assert "This did not work: Installing Castle Companion" in done.stderr
    assert remedy in done.stderr.splitlines()[-1]
    (checkout.toys / "pip-says").unlink()
    assert checkout.start("games").returncode == 0


def test_failing_to_add_the_test_tools_leaves_the_app_as_it_was(checkout: Checkout) -> None:
    checkout.start("games")
    checkout.toy("pip-says", "Network is unreachable")
    assert checkout.start("test").returncode == 1
    checkout.calls()
    assert checkout.start("games").returncode == 0
    assert checkout.calls() == ["companion games"]


def test_an_unsuitable_python_is_refused(checkout: Checkout) -> None:
    checkout.toy("too-old")
    done = checkout.start("games", COMPANION_PYTHON="python3")
    assert done.returncode == 1
    assert "needs Python 3.11 to 3.13" in done.stderr
    assert "COMPANION_PYTHON=" in done.stderr
    assert not (checkout.root / ".venv").exists()


def test_a_full_disk_is_told_beforehand(checkout: Checkout) -> None:
    checkout.stub("df", "#!/bin/bash\necho 'Filesystem 1024-blocks Used Available'\necho '/dev/sd 9 9 20480 99% /'\n")
    done = checkout.start("games")
    assert done.returncode == 1
    assert "Only 20 MB are free" in done.stderr


class TestSystemPackages:
    """What the system must bring: installed with apt when it is missing, and only then."""

    def test_nothing_missing_asks_nobody(self, checkout: Checkout) -> None:
        checkout.stub("apt-get", _APT)
        checkout.stub("id", "#!/bin/bash\necho 1000\n")
        assert checkout.start("games").returncode == 0
        assert checkout.calls("apt-get") == []

    def test_missing_packages_are_installed_by_root(self, checkout: Checkout) -> None:
        checkout.stub("apt-get", _APT)
        checkout.stub("id", "#!/bin/bash\necho 0\n")
        checkout.toy("no-venv")
        assert checkout.start("games").returncode == 0
        update, install = checkout.calls("apt-get")
        assert update.endswith("update noninteractive")
        assert "install -y" in install
        assert "python3-venv" in install

    def test_compilers_are_installed_for_the_tests_only(self, checkout: Checkout) -> None:
        checkout.stub("apt-get", _APT)
        checkout.stub("id", "#!/bin/bash\necho 0\n")
        (checkout.bin / "avr-gcc").unlink()
        assert checkout.start("games").returncode == 0
        assert checkout.calls("apt-get") == []
        checkout.start("test", "-k", "nothing")
        assert any("gcc-avr" in call for call in checkout.calls("apt-get"))

    def test_others_use_sudo(self, checkout: Checkout) -> None:
        checkout.stub("apt-get", _APT)
        checkout.stub("id", "#!/bin/bash\necho 1000\n")
        checkout.stub("sudo", '#!/bin/bash\necho "sudo $*" >>"$TOYS/calls"\n[[ $1 == -v ]] || exec "${@:2}"\n')
        checkout.toy("no-venv")
        assert checkout.start("games").returncode == 0
        assert len(checkout.calls("sudo")) == 3

    @pytest.mark.parametrize(
        ("user", "stubs", "says"),
        [
            ("0", (), "there is no apt-get here"),
            ("1000", ("apt-get",), "only an administrator can install it"),
            ("0", ("apt-get",), "COMPANION_PYTHON=/usr/bin/python3"),
        ],
    )
    def test_what_cannot_be_installed_is_named(
        self, checkout: Checkout, user: str, stubs: tuple[str, ...], says: str
    ) -> None:
        checkout.stub("id", f"#!/bin/bash\necho {user}\n")
        for name in stubs:
            checkout.stub(name, "#!/bin/bash\n")
        checkout.toy("no-venv")
        done = checkout.start("games")
        assert done.returncode == 1
        assert "python3-venv" in done.stderr
        assert says in done.stderr


def test_a_raspberry_pi_shares_its_own_packages(checkout: Checkout) -> None:
    checkout.stub("grep", "#!/bin/bash\n[[ ${!#} == /proc/device-tree/model ]]\n")
    checkout.start("games", COMPANION_PYTHON="python3")
    assert "--system-site-packages" in checkout.calls("-m venv")[0]


def test_elsewhere_the_venv_stands_alone(checkout: Checkout) -> None:
    checkout.stub("grep", "#!/bin/bash\nexit 1\n")
    checkout.start("games")
    assert "--system-site-packages" not in checkout.calls("-m venv")[0]


class TestTests:
    """`./run test`, `./run check` and `.ci/run`."""

    def test_every_check_and_every_test(self, checkout: Checkout) -> None:
        assert checkout.start("test").returncode == 0
        calls = checkout.calls()
        assert any(call.startswith("-m pip install") and call.endswith("[dev,twin]") for call in calls)
        assert calls[-5:-1] == ["ruff check", "ruff format --check", "mypy ", "lint-imports --no-cache --no-logo"]
        assert calls[-1].startswith("-m pytest")

    def test_a_failed_check_fails_the_run_but_not_before_the_tests_ran(self, checkout: Checkout) -> None:
        checkout.toy("mypy-fails")
        done = checkout.start("test")
        assert done.returncode == 1
        assert len(checkout.calls("-m pytest")) == 1
        assert "./run check" in done.stderr

    def test_words_after_test_go_to_pytest(self, checkout: Checkout) -> None:
        assert checkout.start("test", "tests/test_run.py", "-k", "pi").returncode == 0
        calls = checkout.calls()
        assert calls[-1] == "-m pytest tests/test_run.py -k pi"
        assert "ruff check" not in calls

    def test_check_runs_no_tests(self, checkout: Checkout) -> None:
        checkout.toy("ruff-fails")
        assert checkout.start("check").returncode == 1
        calls = checkout.calls()
        assert "mypy " in calls
        assert not any(call.startswith("-m pytest") for call in calls)

    def test_the_app_needs_no_test_tools(self, checkout: Checkout) -> None:
        checkout.start("soak", "rules")
        assert not any("[dev" in call for call in checkout.calls("-m pip install"))

    def test_after_the_tests_the_app_is_ready(self, checkout: Checkout) -> None:
        checkout.start("test")
        checkout.calls()
        checkout.start("games")
        assert checkout.calls() == ["companion games"]

    def test_ci_is_run_test(self, checkout: Checkout) -> None:
        assert checkout.start(script=checkout.root / ".ci/run").returncode == 0
        by_ci = checkout.calls()
        shutil.rmtree(checkout.root / ".venv")
        checkout.start("test")
        assert by_ci == checkout.calls()


def test_python_versions_are_those_of_the_project() -> None:
    wanted = tomllib.loads((_ROOT / "pyproject.toml").read_text())["project"]["requires-python"]
    text = (_ROOT / "run").read_text()
    assert wanted == ">=3.11,<3.14"
    assert 'versions="3.11 to 3.13"' in text
    assert "(3, 11) <= sys.version_info < (3, 14)" in text
