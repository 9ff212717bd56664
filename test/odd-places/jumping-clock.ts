const DAY = 86_400_000

/**
 * Preloaded (`node --import`) into a process under test: its clock jumps at every 20th reading, by a day back, a day and an hour on, and so
 * forth. Timers are not concerned.
 */
let readings = 0
const RealDate = Date
const now = (): number => {
  const jumps = Math.floor(readings++ / 20)
  return RealDate.now() + (jumps % 2 === 0 ? 0 : -DAY) + (jumps % 3 === 0 ? DAY + 3_600_000 : 0)
}
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args: readonly unknown[]) => Reflect.construct(target, args.length === 0 ? [now()] : args),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})
