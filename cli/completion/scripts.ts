import type { Words } from './words.ts'

const PROGRAM = 'mcp-conformance'

/** For bash: `source <(mcp-conformance completion bash)`. */
export function bash({ commands }: Words): string {
  const values = commands.flatMap(({ name, flags }) =>
    flags.flatMap(flag =>
      flag.values.length ? [`      '${name} --${flag.name}') words='${flag.values.join(' ')}' ;;`] : [],
    ),
  )
  const taking = [
    ...new Set(commands.flatMap(c => c.flags.filter(f => f.takes && f.values.length === 0).map(f => `--${f.name}`))),
  ]
  const rows = commands.map(
    ({ name, flags, operands }) =>
      `    ${name}) words='${[...flags.map(f => `--${f.name}`), ...operands].join(' ')}' ;;`,
  )
  return `# ${PROGRAM}: completion for bash. In ~/.bashrc: source <(${PROGRAM} completion bash)
_mcp_conformance() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command=run words=
  case \${COMP_WORDS[1]} in
    ${commands.map(c => c.name).join('|')}) [ "$COMP_CWORD" -gt 1 ] && command=\${COMP_WORDS[1]} ;;
  esac
  case "$previous" in
    ${taking.join('|')}) COMPREPLY=($(compgen -f -- "$current")); return ;;
  esac
  case "$command $previous" in
${values.join('\n')}
  esac
  if [ -z "$words" ]; then
    case $command in
${rows.join('\n')}
    esac
    [ "$COMP_CWORD" -eq 1 ] && words="${commands.map(c => c.name).join(' ')} $words"
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  case $command in report|replay|baseline) [ \${#COMPREPLY[@]} -eq 0 ] && COMPREPLY=($(compgen -f -- "$current")) ;; esac
}
complete -F _mcp_conformance ${PROGRAM}
`
}

/** For zsh: `source <(mcp-conformance completion zsh)`. */
export function zsh({ commands }: Words): string {
  const quoted = (text: string) => text.replace(/['[\]:\\]/g, c => (c === "'" ? "'\\''" : `\\${c}`))
  const flagsOf = (c: Words['commands'][number]) =>
    c.flags
      .map(
        f =>
          `      '--${f.name}[${quoted(f.says)}]${f.takes ? `:value:${f.values.length ? `(${f.values.join(' ')})` : '_files'}` : ''}'`,
      )
      .join(' \\\n')
  const cases = commands.map(
    c =>
      `    ${c.name}) _arguments -s \\\n${flagsOf(c)} \\\n      '*:operand:${c.operands.length ? `(${c.operands.join(' ')})` : '_files'}' ;;`,
  )
  return `#compdef ${PROGRAM}
# ${PROGRAM}: completion for zsh. In ~/.zshrc, after compinit: source <(${PROGRAM} completion zsh)
_mcp_conformance() {
  local -a commands=(
${commands.map(c => `    '${c.name}:${quoted(c.says)}'`).join('\n')}
  )
  local command=run
  if (( CURRENT > 2 )) && [[ $words[2] != -* ]]; then
    command=$words[2]
    shift words
    (( CURRENT-- ))
  elif (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
    _describe command commands
    return
  fi
  case $command in
${cases.join('\n')}
  esac
}
compdef _mcp_conformance ${PROGRAM}
`
}

/** For fish: `mcp-conformance completion fish | source`. */
export function fish({ commands }: Words): string {
  const quoted = (text: string) => `'${text.replace(/[\\']/g, c => `\\${c}`)}'`
  const names = commands.map(c => c.name).join(' ')
  const line = (condition: string, rest: string) => `complete -c ${PROGRAM} -n ${quoted(condition)} ${rest}`
  const inCommand = (name: string) =>
    name === 'run'
      ? `not __fish_seen_subcommand_from ${names.replace('run ', '')}`
      : `__fish_seen_subcommand_from ${name}`
  return [
    `# ${PROGRAM}: completion for fish. In ~/.config/fish/config.fish: ${PROGRAM} completion fish | source`,
    `complete -c ${PROGRAM} -f`,
    ...commands.map(c => line(`not __fish_seen_subcommand_from ${names}`, `-a ${c.name} -d ${quoted(c.says)}`)),
    ...commands.flatMap(c => [
      ...c.flags.map(f =>
        line(
          inCommand(c.name),
          `-l ${f.name} -d ${quoted(f.says)}${f.takes ? ` -r${f.values.length ? ` -a ${quoted(f.values.join(' '))}` : ' -F'}` : ''}`,
        ),
      ),
      ...(c.operands.length ? [line(inCommand(c.name), `-a ${quoted(c.operands.join(' '))}`)] : []),
    ]),
    '',
  ].join('\n')
}
