/** A path whose ending can only name a folder. Resolving it would lose that ending, so it would name a file. */
export function pathNamesFolder(path: string): boolean {
  return /(?:^\.{1,2}|\/\.{0,2})$/u.test(path)
}
