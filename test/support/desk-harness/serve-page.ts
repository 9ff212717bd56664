import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
}

/**
 * Returns the content policy of both shells (DESIGN §8) with this nonce. If the nonce is null, returns null, because the pages without a
 * policy serve as a comparison.
 */
function policyOf(nonce: string | null): string | null {
  if (nonce === null) return null
  return (
    `default-src 'none'; script-src 'self'; style-src 'self'; style-src-elem 'self' 'nonce-${nonce}'; style-src-attr 'unsafe-inline'; ` +
    "img-src 'self' data:; font-src 'self'; worker-src 'self'; connect-src 'self'; frame-src 'none'; base-uri 'none'; form-action 'none'; " +
    "object-src 'none'; frame-ancestors 'none'"
  )
}

export interface PageServer {
  /** The address of the page's folder under the product's policy. */
  readonly address: string
  /** The address of the same folder without any policy. */
  readonly open: string
  close(): Promise<void>
}

/** Serves the samples of single components, `samples.html`. */
export const serveSamples = (): Promise<PageServer> => servePage(new URL('samples.html', import.meta.url))

/** Serves the page of all controls, `gallery.html`. */
export const serveGallery = (): Promise<PageServer> => servePage(new URL('../../gallery/gallery.html', import.meta.url))

/** Builds a page in the same way as the product and serves it on loopback. */
async function servePage(page: URL): Promise<PageServer> {
  const input = fileURLToPath(page)
  const out = await mkdtemp(join(tmpdir(), 'countersign-page-'))
  await build({
    configFile: fileURLToPath(new URL('../../../renderer/vite.config.ts', import.meta.url)),
    root: dirname(input),
    logLevel: 'error',
    build: { outDir: out, emptyOutDir: true, rolldownOptions: { input } },
  })
  const withPolicy = await serve(out, true)
  const open = await serve(out, false)
  return {
    address: withPolicy.address,
    open: open.address,
    close: async () => {
      await Promise.all([withPolicy.close(), open.close()])
      await rm(out, { recursive: true, force: true })
    },
  }
}

async function serve(folder: string, guarded: boolean): Promise<{ readonly address: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://localhost').pathname)
    const nonce = randomBytes(16).toString('base64url')
    const policy = policyOf(guarded ? nonce : null)
    readFile(join(folder, path)).then(
      (body) => {
        const content = extname(path) === '.html' ? body.toString('utf8').replaceAll('__CSP_NONCE__', nonce) : body
        response.writeHead(200, {
          'content-type': types[extname(path)] ?? 'application/octet-stream',
          ...(policy === null ? {} : { 'content-security-policy': policy }),
        })
        response.end(content)
      },
      () => response.writeHead(path === '/favicon.ico' ? 204 : 404).end(),
    )
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the page has no port')
  return {
    address: `http://127.0.0.1:${address.port}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise<void>((closed) => server.close(() => closed()))
    },
  }
}
