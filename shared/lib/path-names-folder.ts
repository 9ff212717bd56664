/**
 * Whether the ending of a path shows that it can name only a folder. Resolving the path would lose this ending, so the result would name a
 * file. The function is shared, because tools and the environment both need it.
 */
export function pathNamesFolder(path: string): boolean {
  return /(?:^\.{1,2}|\/\.{0,2})$/u.test(path)
}
