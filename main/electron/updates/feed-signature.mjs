import { createPublicKey, sign, verify } from 'node:crypto'

/**
 * One version in the update feed, as `latest-linux.yml` has it. The hashes authenticate the files, so the signature covers the hashes.
 * @typedef {{ readonly version: string, readonly files: readonly { readonly url: string, readonly sha512: string }[] }} FeedEntry
 */

/**
 * The signed text. It contains the version, so that an old entry cannot be offered as a new one.
 * @param {FeedEntry} entry
 */
const signedText = ({ version, files }) => Buffer.from([version, ...files.map(({ url, sha512 }) => `${url} ${sha512}`)].join('\n'))

/**
 * @param {FeedEntry} entry
 * @param {string} privateKey an Ed25519 key in PEM format
 */
export const signatureOf = (entry, privateKey) => sign(null, signedText(entry), privateKey).toString('base64')

/**
 * Whether the signature belongs to exactly this entry. Never throws for what a feed contains.
 * @param {FeedEntry} entry
 * @param {unknown} signature
 * @param {string} publicKey in PEM format
 */
export function isSigned(entry, signature, publicKey) {
  if (typeof signature !== 'string') return false
  return verify(null, signedText(entry), createPublicKey(publicKey), Buffer.from(signature, 'base64'))
}
