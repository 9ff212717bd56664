const FILE = '/tmp/.countersign-lease'
/** A place ends by itself when no desk has renewed its lease for this long, in s. */
export const LEASE_S = 60 * 60
/** The longest time in s between two looks at the lease. */
const LOOK_S = 15

/** The main program of a made place. It ends when the lease was not renewed in time, and at once on SIGTERM. */
export function keepAliveLine(leaseS: number): string {
  return [
    `f=${FILE}`,
    `trap 'exit 0' TERM INT`,
    ': > "$f"',
    'while :',
    `do sleep ${Math.min(LOOK_S, Math.max(1, Math.floor(leaseS / 4)))} & wait $!`,
    // The lease is no secret of ours: a program there may have removed the file.
    '[ -e "$f" ] || : > "$f"',
    `n=$(stat -c %Y "$f") || exit 1`,
    `[ $(($(date +%s) - n)) -lt ${leaseS} ] || exit 0`,
    'done',
  ].join('; ')
}

/** A shell line that renews the lease of the place in which it runs. */
export const RENEW_LINE = `touch ${FILE}`
