/** What ripgrep's `--type` names, for the languages that people name. */
const TYPES: ReadonlyMap<string, string> = new Map(
  (
    [
      [['c'], '*.{c,h}'],
      [['cpp', 'c++'], '*.{cpp,cc,cxx,hpp,hh,hxx,h,inl}'],
      [['cs', 'csharp'], '*.cs'],
      [['css'], '*.{css,scss}'],
      [['dart'], '*.dart'],
      [['docker'], '*Dockerfile*'],
      [['elixir'], '*.{ex,exs,eex,heex}'],
      [['go'], '*.go'],
      [['html'], '*.{html,htm,ejs}'],
      [['java'], '*.{java,jsp}'],
      [['js', 'javascript'], '*.{js,jsx,mjs,cjs,vue}'],
      [['json'], '*.{json,jsonc}'],
      [['kotlin'], '*.{kt,kts}'],
      [['lua'], '*.lua'],
      [['make'], '{[Mm]akefile*,*.mk,*.mak}'],
      [['md', 'markdown'], '*.{md,mdx,markdown,mkd}'],
      [['php'], '*.php'],
      [['py', 'python'], '*.{py,pyi}'],
      [['ruby', 'rb'], '{*.rb,*.gemspec,Gemfile,Rakefile}'],
      [['rust', 'rs'], '*.rs'],
      [['sass', 'scss'], '*.{sass,scss}'],
      [['scala'], '*.{scala,sbt}'],
      [['sh', 'bash', 'shell'], '*.{sh,bash,zsh,ksh}'],
      [['sql'], '*.{sql,psql}'],
      [['svelte'], '*.svelte'],
      [['swift'], '*.swift'],
      [['toml'], '*.toml'],
      [['ts', 'typescript'], '*.{ts,tsx,mts,cts}'],
      [['tsx'], '*.tsx'],
      [['txt'], '*.txt'],
      [['vue'], '*.vue'],
      [['xml'], '*.{xml,xsl,xsd,svg}'],
      [['yaml', 'yml'], '*.{yaml,yml}'],
      [['zig'], '*.zig'],
    ] as const
  ).flatMap(([names, glob]) => names.map((name) => [name, glob] as const)),
)

/** The glob of a file type; null: it has no such name. */
export function globOfType(type: string): string | null {
  return TYPES.get(type.toLowerCase()) ?? null
}
