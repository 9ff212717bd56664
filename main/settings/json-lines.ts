/** The line (from 1) on which each key of a JSON text's outermost object stands. The text must be valid JSON. */
export function keyLines(json: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>()
  let depth = 0
  let line = 1
  for (const { 0: token } of json.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]\n]/g)) {
    if (token === '{' || token === '[') depth++
    else if (token === '}' || token === ']') depth--
    else if (token === '\n') line++
    else {
      if (depth === 1 && token.endsWith(':')) lines.set(String(JSON.parse(token.slice(0, token.lastIndexOf('"') + 1))), line)
      line += token.split('\n').length - 1
    }
  }
  return lines
}
