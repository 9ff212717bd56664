/** A path that ends as only a folder's does. Resolved, it would lose that, and mean a file. */
export function namesFolder(path: string): boolean {
  return /(?:^\.{1,2}|\/\.{0,2})$/u.test(path)
}
