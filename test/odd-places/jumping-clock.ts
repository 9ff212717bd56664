const DAY = 86_400_000

/**
 * Preloaded (`node --import`) into a process under test. Its clock begins at `CLOCK_AT` (ISO 8601; default: now). With `CLOCK_JUMPS`, the
 * clock jumps at every 20th reading: back by a day, then forward by a day and an hour, and so on. Timers are not affected.
 */
const RealDate = Date
const { CLOCK_AT, CLOCK_JUMPS } = process.env
const offset = CLOCK_AT === undefined ? 0 : RealDate.parse(CLOCK_AT) - RealDate.now()
let readings = 0
const now = (): number => {
  const jumps = CLOCK_JUMPS === undefined ? 1 : Math.floor(readings++ / 20)
  return RealDate.now() + offset + (jumps % 2 === 0 ? -DAY : 0) + (jumps % 3 === 0 ? DAY + 3_600_000 : 0)
}
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args: readonly unknown[]) => Reflect.construct(target, args.length === 0 ? [now()] : args),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})
