/** Looked at by whoever prints, compares or awaits a value; they are no members of Electron. */
const HARMLESS = new Set([
  'then',
  'toJSON',
  'asymmetricMatch',
  '$$typeof',
  'nodeType',
  'tagName',
  'inspect',
  'toString',
  'valueOf',
  'constructor',
])

const refuse = (owner: string, key: string | symbol): never => {
  throw new Error(`the fake electron has no ${owner}.${String(key)}: add it with what the real one does, or do without`)
}

const isHarmless = (key: string | symbol): boolean => typeof key === 'symbol' || HARMLESS.has(key)

const nameOf = (value: object): string => (typeof value === 'function' ? value.name : value.constructor.name).replace(/^Fake/, '')

/** Ends a chain of prototypes: what is found on none of the way is refused, be it read or set. */
const endOfTheWay = (last: object): object =>
  new Proxy(last, {
    get: (target, key, receiver: object) => (isHarmless(key) || key in target ? Reflect.get(target, key) : refuse(nameOf(receiver), key)),
    set: (_target, key, _value, receiver: object) => refuse(nameOf(receiver), key),
  })

/** Everything of the fake comes from here: a member that it does not have throws when it is touched, instead of being undefined. */
export class Strict {}
Object.setPrototypeOf(Strict.prototype, endOfTheWay(Object.prototype))
Object.setPrototypeOf(Strict, endOfTheWay(Function.prototype))
