/** Says it when a folder is far more than a project: the whole disk, the home folder, or all home folders; null: it is not. */
export function widthOf(folder: string, home: string): string | null {
  const path = plain(folder)
  if (path === '' || /^[A-Za-z]:$/.test(path)) return 'This is the whole disk.'
  if (home === '') return null
  if (path === plain(home)) return 'This is your whole home folder.'
  return plain(home).startsWith(`${path}/`) ? 'Your whole home folder lies in this one.' : null
}

/** With one kind of separator and none at its end. */
function plain(path: string): string {
  return path.replaceAll('\\', '/').replace(/\/+$/, '')
}
