import { describe, expect, it } from 'vitest'
import { browserHost } from '../../main/http/browser-shell.ts'
import { outsideLink } from '../../main/http/outside-link.ts'
import { REFUSED_LINKS } from './refused-links.ts'

describe('addresses that are opened outside the app', () => {
  it.each(REFUSED_LINKS)('%j is refused with a sentence', (text) => {
    const checked = outsideLink(text)
    expect([checked.ok, checked.ok ? '' : checked.failure]).toEqual([false, expect.stringMatching(/^[A-Z].*\.$/)])
  })

  it.each([
    ['https://example.com', 'https://example.com/', 'example.com'],
    ['HTTPS://Example.COM/Path?q=1#f', 'https://example.com/Path?q=1#f', 'example.com'],
    ['https://example.com:8443/', 'https://example.com:8443/', 'example.com:8443'],
    ['http://127.0.0.1:5173', 'http://127.0.0.1:5173/', '127.0.0.1:5173'],
    ['http://localhost/a?b', 'http://localhost/a?b', 'localhost'],
    ['https://аррӏе.com/', 'https://xn--80ak6aa92e.com/', 'xn--80ak6aa92e.com'],
    ['https://example.com/%E2%80%AE', 'https://example.com/%E2%80%AE', 'example.com'],
  ])('%s passes, with its resolved host shown', (text, href, host) => {
    expect(outsideLink(text)).toEqual({ ok: true, value: { href, host } })
  })
})

describe('host of the browser shell', () => {
  it('offers no desktop features', async () => {
    const host = browserHost()
    expect([host.shell, host.capabilities]).toEqual(['browser', { folderDialog: false, notifications: false, reveal: false }])
    expect(await host.pickFolder()).toBeNull()
    expect(await host.reveal('/etc/passwd', ['/etc'])).toBe(false)
    expect(await host.openLink('https://example.com/')).toEqual({ opened: false, why: 'This browser opens links itself.' })
    expect(await host.openLink('file:///etc/passwd')).toEqual({ opened: false, why: 'Only https addresses are opened.' })
    expect(host.secrets.newKeysKeptIn).toBe('memory')
  })
})
