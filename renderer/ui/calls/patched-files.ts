const HEAD = /^\*\*\* (?:Update|Add|Delete) File: (.+)$/gmu

/** The files that a patch names, in its order. */
export function patchedFiles(patch: string): readonly string[] {
  return [...patch.matchAll(HEAD)].flatMap(([, path]) => (path === undefined ? [] : [path.trim()]))
}
