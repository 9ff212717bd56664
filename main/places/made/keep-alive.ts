/** The time of its last change is that of the last renewal. */
const FILE = '/tmp/.countersign-lease'
/** A place ends by itself when no desk has renewed its lease for this long, in s. */
export const LEASE_S = 60 * 60
/** Maximum time in s between two checks of the lease. */
const CHECK_S = 15

/** The shell line that keeps a made place alive. It ends if the lease was not renewed in time, and at once on SIGTERM. */
export function keepAliveLine(leaseS: number): string {
  return [
    `f=${FILE}`,
    `trap 'exit 0' TERM INT`,
    ': > "$f"',
    'while :',
    `do sleep ${Math.min(CHECK_S, Math.max(1, Math.floor(leaseS / 4)))} & wait $!`,
    // Any program in the place can remove the file, for example to clear `/tmp`.
    '[ -e "$f" ] || : > "$f"',
    `n=$(stat -c %Y "$f") || exit 1`,
    `[ $(($(date +%s) - n)) -lt ${leaseS} ] || exit 0`,
    'done',
  ].join('; ')
}

/** A shell line that renews the lease of the place in which it runs. */
export const RENEW_LINE = `touch ${FILE}`
