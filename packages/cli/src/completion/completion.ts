import { UsageError } from "../usage-error.ts";

const HELP = `Usage: gatewright completion bash|zsh|fish

Prints a script that lets the shell complete commands, flags, kinds, and names of objects and namespaces of the cluster:

  bash   source <(gatewright completion bash)                     in ~/.bashrc
  zsh    source <(gatewright completion zsh)                      in ~/.zshrc, after compinit
  fish   gatewright completion fish > ~/.config/fish/completions/gatewright.fish

As kubectl gatewright it completes by itself, when kubectl_complete-gatewright is on the PATH.
`;

/** One candidate that ends with a slash is half of KIND/NAME: no space after it. */
const SCRIPTS: ReadonlyMap<string, string> = new Map([
  [
    "bash",
    `_gatewright() {
  local IFS=$'\\n'
  COMPREPLY=($(gatewright __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == */ ]] && compopt -o nospace
}
complete -F _gatewright gatewright kubectl-gatewright
`,
  ],
  [
    "zsh",
    `_gatewright() {
  local -a found
  found=("\${(@f)$(gatewright __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -- \${found:#*/}
  compadd -S '' -- \${(M)found:#*/}
}
compdef _gatewright gatewright kubectl-gatewright
`,
  ],
  [
    "fish",
    `complete -c gatewright -f -a '(gatewright __complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
`,
  ],
]);

export async function completion(args: readonly string[]): Promise<number> {
  const [shell, ...more] = args;
  if (shell === "-h" || shell === "--help") {
    process.stdout.write(HELP);
    return 0;
  }
  const script = SCRIPTS.get(shell ?? "");
  if (script === undefined || more.length > 0) throw new UsageError(`expected bash, zsh or fish\n\n${HELP}`);
  process.stdout.write(script);
  return 0;
}
