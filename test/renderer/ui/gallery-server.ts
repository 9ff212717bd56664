import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { build } from 'vite'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
}

/**
 * The content policy of both shells without the nonce, which only third-party widgets need. Our own components insert no style elements.
 */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; style-src-elem 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data:; " +
  "font-src 'self'; worker-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; object-src 'none'; frame-ancestors 'none'"

export interface GalleryServer {
  readonly address: string
  readonly close: () => Promise<void>
}

/** Builds the gallery in the same way as the product and serves it on loopback under the product's policy. axe is at `/axe.js`. */
export async function serveGallery(): Promise<GalleryServer> {
  const root = fileURLToPath(new URL('../../../renderer', import.meta.url))
  const out = await mkdtemp(join(tmpdir(), 'countersign-gallery-'))
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    plugins: [react()],
    build: { outDir: out, emptyOutDir: true, assetsInlineLimit: 0, rolldownOptions: { input: join(root, 'gallery.html') } },
  })
  const axe = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'))
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://localhost').pathname)
    readFile(path === '/axe.js' ? axe : join(out, path)).then(
      (body) => {
        response.writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream', 'content-security-policy': policy })
        response.end(body)
      },
      () => response.writeHead(path === '/favicon.ico' ? 204 : 404).end(),
    )
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the gallery has no port')
  return {
    address: `http://127.0.0.1:${address.port}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise<void>((closed) => server.close(() => closed()))
      await rm(out, { recursive: true, force: true })
    },
  }
}
