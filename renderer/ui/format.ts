/** Formats for numbers and times, shared by all panes. A non-breaking space joins number and unit. */

const space = '\u00a0'
const minus = '\u2212'

const two = (value: number): string => String(Math.trunc(value)).padStart(2, '0')

/** Words with a capital first letter. */
export const capital = (words: string): string => `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`

/** Time of day on this computer's clock, 24 hours: `14:04:40`. `at` in ms since 1970. */
export function clockTime(at: number): string {
  const date = new Date(at)
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}

/** A duration in ms: `22 ms`, `3.1 s`, `41.8 s`, `4 min 44 s`, `2 min`, `2 h 05 min`. */
export function duration(ms: number): string {
  if (ms < 100) return `${Math.max(0, Math.round(ms))}${space}ms`
  const tenths = Math.round(ms / 100)
  if (tenths < 600) return `${(tenths / 10).toFixed(1)}${space}s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 3600) return `${Math.trunc(seconds / 60)}${space}min${seconds % 60 === 0 ? '' : ` ${seconds % 60}${space}s`}`
  const minutes = Math.round(ms / 60_000)
  return `${Math.trunc(minutes / 60)}${space}h${minutes % 60 === 0 ? '' : ` ${two(minutes % 60)}${space}min`}`
}

/** A duration in ms, in whole seconds: `10 s`, `2 min`, `1 min 30 s`. */
export function span(ms: number): string {
  return duration(Math.trunc(ms / 1000) * 1000)
    .replace('ms', 's')
    .replace('.0', '')
}

/** Elapsed time in ms as a clock: `0:07`, `12:31`, `1:02:07`. */
export function counting(ms: number): string {
  const seconds = Math.max(0, Math.trunc(ms / 1000))
  const minutes = Math.trunc(seconds / 60)
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`
  return `${Math.trunc(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`
}

/** Formats US dollars: `$0.41`, `$12.00`, and below one cent `< 1 ¢`. */
export function money(dollars: number): string {
  const sign = dollars < 0 ? minus : ''
  const size = Math.abs(dollars)
  if (size === 0 || size >= 0.01) return `${sign}$${size.toFixed(2)}`
  return `${sign}<${space}1${space}¢`
}

/** Formats a ratio from 0 to 1 as `38 %`. Only exact values are shown as 0 and 100: 99.7 % is shown as 99, 0.2 % as `< 1 %`. */
export function percent(ratio: number): string {
  const whole = Math.round(ratio * 100)
  if (ratio > 0 && whole === 0) return `<${space}1${space}%`
  const honest = ratio < 1 && whole === 100 ? 99 : whole
  return `${honest < 0 ? minus : ''}${Math.abs(honest)}${space}%`
}

/** Added lines: `+18`. */
export function added(lines: number): string {
  return `+${lines}`
}

/** Removed lines, with a real minus sign: `−5`, `−0`. */
export function removed(lines: number): string {
  return `${minus}${lines}`
}

/** A size in bytes, decimal units: `812 B`, `9.1 kB`, `41 MB`, `1.2 GB`. */
export function byteSize(bytes: number): string {
  let value = bytes
  for (const unit of ['B', 'kB', 'MB', 'GB']) {
    const text = unit === 'B' || value >= 9.95 ? String(Math.round(value)) : value.toFixed(1)
    if (Number(text) < 1000 || unit === 'GB') return `${text}${space}${unit}`
    value /= 1000
  }
  return `${bytes}${space}B`
}

/** A number with its noun: `1 hunk`, `3 hunks`, `2 entries`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

/** Counts of files by what happened to them: `3 files created, 2 modified`. Counts of 0 are left out. */
export function fileCounts(counts: Readonly<Record<string, number>>): string {
  const above = Object.entries(counts).filter(([, count]) => count > 0)
  return above.map(([did, count], at) => `${at === 0 ? counted(count, 'file') : count} ${did}`).join(', ')
}

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** A short age for list rows: `now`, `18 min`, `2 h`, `Tue`, `12 Nov`, `2025`. Both times in ms since 1970. */
export function shortAge(at: number, now: number): string {
  const minutes = Math.trunc((now - at) / 60_000)
  if (minutes < 1) return 'now'
  if (minutes < 60) return `${minutes}${space}min`
  const then = new Date(at)
  const today = new Date(now)
  const midnights = Math.round((startOfDay(today) - startOfDay(then)) / 86_400_000)
  if (midnights === 0) return `${Math.trunc(minutes / 60)}${space}h`
  if (midnights < 7) return days[then.getDay()] ?? ''
  if (then.getFullYear() === today.getFullYear()) return `${then.getDate()}${space}${months[then.getMonth()] ?? ''}`
  return String(then.getFullYear())
}

/** A calendar day on this computer's clock: `22 Nov 2026`. `at` in ms since 1970. */
export function calendarDay(at: number): string {
  const date = new Date(at)
  return `${date.getDate()}${space}${months[date.getMonth()] ?? ''}${space}${date.getFullYear()}`
}

/** The heading of a day's group: `Today`, `Yesterday`, otherwise `22 Nov 2026`. Both times in ms since 1970. */
export function dayWords(at: number, now: number): string {
  const midnights = Math.round((startOfDay(new Date(now)) - startOfDay(new Date(at))) / 86_400_000)
  return midnights <= 0 ? 'Today' : midnights === 1 ? 'Yesterday' : calendarDay(at)
}

function startOfDay(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
}

/** Type and size of a picture: `PNG, 12.4 kB`. */
export function pictureFacts({ mediaType, bytes }: { readonly mediaType: string; readonly bytes: number }): string {
  const name = mediaType.replace('image/', '')
  return `${name === 'webp' ? 'WebP' : name.toUpperCase()}, ${byteSize(bytes)}`
}

/** Shortens a text to at most `most` characters. The cut is at a word boundary if there is one near the limit. */
export function clipped(text: string, most: number): string {
  if (text.length <= most) return text
  const lastSpace = text.slice(0, most).search(/\s\S*$/u)
  return `${text.slice(0, lastSpace > most * 0.7 ? lastSpace : most - 1).trimEnd()}…`
}

/** Host and port of a model server: "127.0.0.1:11434". */
export function placeOf(baseUrl: string): string {
  return URL.parse(baseUrl)?.host ?? baseUrl
}

/** Number of models in words: "3 models", "no model yet". */
export function modelWords(count: number): string {
  return count === 0 ? 'no model yet' : counted(count, 'model')
}

/** A path with the home folder shortened to `~`. */
export function shownFolder(folder: string, home: string): string {
  if (home === '' || (folder !== home && !folder.startsWith(`${home}/`) && !folder.startsWith(`${home}\\`))) return folder
  return `~${folder.slice(home.length)}`
}

/** Returns what a slash command sets for its turn: `model opus, effort high`. Empty if it sets nothing. */
export function answeringWords({ model, effort }: { readonly model: string | null; readonly effort: string | null }): string {
  return [...(model === null ? [] : [`model ${model}`]), ...(effort === null ? [] : [`effort ${effort}`])].join(', ')
}
