/**
 * Whether a path can name only a folder, because its last component is empty, `.` or `..`. A resolved path has lost this ending, so it
 * would look like the path of a file. The function is shared, because tools and the environment both need it.
 */
export function pathNamesFolder(path: string): boolean {
  return /(?:^\.{1,2}|\/\.{0,2})$/u.test(path)
}
