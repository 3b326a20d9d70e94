/**
 * Typical tool calls of agents, for files and commands that the conversations of the bench do not
 * mention.
 */
const FILES = [
  "README.md",
  "CONTRIBUTING.md",
  "LICENSE",
  "pyproject.toml",
  "setup.cfg",
  "tox.ini",
  "requirements.txt",
  "Makefile",
  "Dockerfile",
  ".gitignore",
  ".github/workflows/ci.yml",
  "docs/index.rst",
  "src/app/main.py",
  "src/app/config.py",
  "src/app/routes.py",
  "src/app/models/user.py",
  "src/app/services/email.py",
  "src/components/button.tsx",
  "src/index.ts",
  "package.json",
  "tests/conftest.py",
  "tests/test_users.py",
  "tests/integration/test_login.py",
  "scripts/deploy.sh",
  "migrations/0004_add_index.sql",
];

const COMMANDS = [
  "git status",
  "git diff --stat",
  "git log --oneline -5",
  "git add -A && git commit -m 'Fix typo'",
  "ls -la",
  "pwd",
  "cat README.md",
  "rg -n TODO src",
  "grep -rn 'def main' .",
  "find . -name '*.py' | head",
  "python -m pytest -q",
  "pytest tests/test_users.py -x",
  "python -c 'import sys; print(sys.version)'",
  "pip install -r requirements.txt",
  "ruff check .",
  "mypy src",
  "make test",
  "npm test",
  "npm run build",
  "node --version",
  "docker compose ps",
  "curl -s localhost:8000/health",
  "sed -n 1,40p src/app/main.py",
  "mkdir -p build && cd build",
  "echo done",
];

export const ORDINARY_CALLS: readonly {
  readonly tool_name: string;
  readonly tool_input: object;
}[] = [
  ...FILES.map((file_path, index) =>
    index % 3 === 0
      ? { tool_name: "Edit", tool_input: { file_path, old_string: "a", new_string: "b" } }
      : { tool_name: "Read", tool_input: { file_path } },
  ),
  ...COMMANDS.map((command) => ({ tool_name: "Bash", tool_input: { command } })),
];
