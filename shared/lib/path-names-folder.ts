/**
 * Whether a path can only name a folder because of its ending. Resolving the path would lose this ending, so the result would name a file.
 * The function is shared, because tools and the environment both need it.
 */
export function pathNamesFolder(path: string): boolean {
  return /(?:^\.{1,2}|\/\.{0,2})$/u.test(path)
}
