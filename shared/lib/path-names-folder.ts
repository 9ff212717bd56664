/**
 * Whether the ending of a path can only name a folder. Resolving the path would lose this ending, so the result would name a file. Tools and
 * the environment ask on both sides of their port, so the function is here.
 */
export function pathNamesFolder(path: string): boolean {
  return /(?:^\.{1,2}|\/\.{0,2})$/u.test(path)
}
