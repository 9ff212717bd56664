/** Members that are read when a value is printed, compared or awaited. They are not members of Electron. */
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

/** An object that ends a prototype chain. It throws when code reads or sets a member that no object in the chain has. */
const endOfTheWay = (last: object): object =>
  new Proxy(last, {
    get: (target, key, receiver: object) => (isHarmless(key) || key in target ? Reflect.get(target, key) : refuse(nameOf(receiver), key)),
    set: (_target, key, _value, receiver: object) => refuse(nameOf(receiver), key),
  })

/** The base class of the entire fake. A member that the fake does not have throws when it is used, instead of being undefined. */
export class Strict {}
Object.setPrototypeOf(Strict.prototype, endOfTheWay(Object.prototype))
Object.setPrototypeOf(Strict, endOfTheWay(Function.prototype))
