import { describe, expect, it } from 'vitest'
import { AccessSecrets } from '../../main/http/access-secrets.ts'

describe('secrets of one launch of the app', () => {
  it('a socket token lives for 30 seconds', () => {
    let now = 1_000
    const keys = new AccessSecrets(() => now)
    const early = keys.socketToken()
    const late = keys.socketToken()
    now += 29_999
    expect(keys.useSocketToken(early)).toBe(true)
    now += 1
    expect(keys.useSocketToken(late)).toBe(false)
  })

  it('with more than a hundred unused tokens, the oldest is discarded', () => {
    const keys = new AccessSecrets(() => 0)
    const tokens = Array.from({ length: 101 }, () => keys.socketToken())
    expect([keys.useSocketToken(tokens[0] ?? ''), keys.useSocketToken(tokens[1] ?? ''), keys.useSocketToken(tokens[100] ?? '')]).toEqual([
      false,
      true,
      true,
    ])
  })

  it('one kind of secret cannot be used as another', () => {
    const keys = new AccessSecrets()
    const launch = keys.launchToken()
    const socket = keys.socketToken()
    expect([keys.useSocketToken(launch), keys.exchange(socket), keys.isPageSecret(launch), keys.isPageSecret(socket)]).toEqual([
      false,
      null,
      false,
      false,
    ])
    const page = keys.exchange(launch) ?? ''
    expect([keys.isPageSecret(page), keys.isPageSecret(`x${page}`), keys.isPageSecret(page.slice(0, -1)), keys.isPageSecret('')]).toEqual([
      true,
      false,
      false,
      false,
    ])
    expect([keys.useSocketToken(page), keys.exchange(page)]).toEqual([false, null])
  })
})
