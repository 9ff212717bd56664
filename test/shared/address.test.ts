import { expect, test } from 'vitest'
import { addressOf, parseAddress, placeKey } from '../../shared/places/address.ts'

const local = ['/srv/shop', '~/shop', 'C:\\shop', 'shop', '', 'ssh:/shop', 'ssh://', 'ssh:///shop', 'container:/work', 'k8s://a/b']

test.each(local)('%s is a path of this computer, written as it was', (text) => {
  expect(parseAddress(text)).toEqual({ place: null, folder: text })
  expect(addressOf(null, text)).toBe(text)
})

test.each([
  ['ssh://box/srv/shop', { kind: 'ssh', host: 'box', port: null }, '/srv/shop'],
  ['ssh://ada@box.example:2222/srv', { kind: 'ssh', host: 'ada@box.example', port: 2222 }, '/srv'],
  ['ssh://[::1]:22/a b', { kind: 'ssh', host: '[::1]', port: 22 }, '/a b'],
  ['container:shop-dev.1/work', { kind: 'container', name: 'shop-dev.1' }, '/work'],
])('%s is read and written back', (text, place, folder) => {
  expect(parseAddress(text)).toEqual({ place, folder })
  const read = parseAddress(text)
  expect(read.place && addressOf(read.place, read.folder)).toBe(text)
})

test.each(['ssh://box', 'ssh://box/~'])('%s is the home folder there', (text) => {
  expect(parseAddress(text).folder).toBe('~')
})

test('a folder below the home folder there begins with ~', () => {
  const { place, folder } = parseAddress('ssh://box/~/shop')
  expect([folder, place && addressOf(place, folder)]).toEqual(['~/shop', 'ssh://box/~/shop'])
})

test.each(['ssh://-oProxyCommand=evil/x', 'container:-x/y', 'ssh://a b/x'])(
  '%s names no place, so it is never an option of a program',
  (text) => {
    expect(parseAddress(text).place).toBeNull()
  },
)

test('the key of a place is an address without a folder', () => {
  for (const text of ['ssh://box:22/a', 'container:one/a']) {
    const { place } = parseAddress(text)
    expect(place && parseAddress(placeKey(place)).place).toEqual(place)
  }
})
