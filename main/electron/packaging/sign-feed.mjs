import { appendFileSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { signatureOf } from '../updates/feed-signature.mjs'

/**
 * Signs the update feed for Linux, which does not verify programs itself: `node main/electron/packaging/sign-feed.mjs FOLDER`, with an
 * Ed25519 key in PEM format in `COUNTERSIGN_UPDATE_KEY`. When packaging, `COUNTERSIGN_UPDATE_PUBLIC_KEY` must have the public key.
 */
const [folder = ''] = process.argv.slice(2)
const key = process.env['COUNTERSIGN_UPDATE_KEY']
const feeds = folder === '' ? [] : readdirSync(folder).filter((name) => /^latest-linux.*\.yml$/.test(name))
if (key === undefined || feeds.length === 0) {
  process.stderr.write('Nothing was signed. Give the folder with latest-linux.yml, and the private key in COUNTERSIGN_UPDATE_KEY.\n')
  process.exitCode = 1
} else {
  for (const name of feeds) {
    const entry = entryIn(readFileSync(join(folder, name), 'utf8'))
    appendFileSync(join(folder, name), `signature: ${signatureOf(entry, key)}\n`)
    process.stdout.write(`Signed ${name}, version ${entry.version}.\n`)
  }
}

/**
 * Reads the lines that electron-builder writes.
 * @param {string} text
 * @returns {import('../updates/feed-signature.mjs').FeedEntry}
 */
function entryIn(text) {
  const version = /^version: (\S+)$/m.exec(text)?.[1]
  const files = [...text.matchAll(/^ +- url: (.+)\n +sha512: (\S+)$/gm)].map(([, url = '', sha512 = '']) => ({ url, sha512 }))
  if (version === undefined || files.length === 0 || /^signature:/m.test(text)) throw new Error(`This feed cannot be signed:\n${text}`)
  return { version, files }
}
