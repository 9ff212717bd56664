import { decodeOldText, isKeptByEncoding, type OldEncoding } from './old-encoding.ts'
import { isWindows1252 } from './windows-1252.ts'

/** Maximum number of bytes of a text whose encoding is detected. */
const MAX_BYTES = 512 * 1024
/** Windows-1252 is recognized without decoding, so longer texts are examined. */
const MAX_WESTERN_BYTES = 1024 * 1024
/** Maximum number of bytes that are examined for the language of the text. */
const SAMPLE = 8 * 1024

/**
 * The encoding of a text that is not UTF-8, if only one fits and encoding the text again gives the same bytes. Null if several encodings
 * fit. Encodings of Latin languages other than Windows-1252 are not told apart from it.
 */
export function detectedEncoding(bytes: Uint8Array): OldEncoding | null {
  if (bytes.length > MAX_WESTERN_BYTES) return null
  if (isWindows1252(bytes)) return 'windows-1252'
  if (bytes.length > MAX_BYTES) return null
  const sample = linesBeyondAscii(bytes)
  const fitting = CANDIDATES.flatMap(({ encoding, fits }) => {
    const letters = [...(beginningOf(sample, encoding) ?? '')].filter((character) => character > '\x7f')
    return letters.length >= MIN_LETTERS && fits(letters) ? [encoding] : []
  })
  const possible = fitting.filter((encoding) => decodeOldText(bytes, encoding) !== null)
  const [only, other] = possible
  if (only === undefined || other !== undefined) return null
  return isKeptByEncoding(bytes, decodeOldText(bytes, only) ?? '', only) ? only : null
}

/** Decodes a text that may end inside a character. Null if the bytes are not valid in the encoding. */
function beginningOf(bytes: Uint8Array, encoding: OldEncoding): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return null
  }
}

/**
 * The first lines that are not only ASCII, each from its first byte beyond ASCII on: as many as fit into a sample. A long line is cut, so that
 * its size costs no time.
 */
function linesBeyondAscii(bytes: Uint8Array): Uint8Array {
  const lines: Uint8Array[] = []
  let size = 0
  for (let at = 0; at < bytes.length && size < SAMPLE; at++) {
    if ((bytes[at] ?? 0) < 0x80) continue
    const feed = bytes.indexOf(LINE_FEED, at)
    const end = feed < 0 ? bytes.length : feed + 1
    const line = bytes.subarray(at, Math.min(end, at + SAMPLE))
    lines.push(line)
    size += line.length
    at = end - 1
  }
  const sample = new Uint8Array(size)
  let end = 0
  for (const line of lines) {
    sample.set(line, end)
    end += line.length
  }
  return sample
}

const LINE_FEED = 0x0a

/** With fewer characters beyond ASCII, a text could be in several encodings. */
const MIN_LETTERS = 8

interface Candidate {
  readonly encoding: OldEncoding
  /** Whether these non-ASCII characters look like text in a language of this encoding, and not like text that was decoded wrongly. */
  fits(letters: readonly string[]): boolean
}

const share = (letters: readonly string[], pattern: RegExp): number =>
  letters.filter((letter) => pattern.test(letter)).length / letters.length

/** Kana are frequent in Japanese texts. Half-width kana are not, but other encodings read as Shift-JIS consist of them. */
const isJapanese = (letters: readonly string[]): boolean =>
  share(letters, /[\u3041-\u3096\u30a1-\u30fc]/u) >= 0.2 && share(letters, /[\uff61-\uff9f]/u) <= 0.2 && share(letters, JAPANESE) >= 0.95

const JAPANESE = /[\u3000-\u303f\u3041-\u3096\u30a1-\u30fe\u4e00-\u9fff\uff01-\uff9f\u2010-\u2026\u2190-\u21ff\u2460-\u25ff]/u

/** The most frequent characters of Chinese texts. At least a few of them are in every longer one. */
const FREQUENT_CHINESE =
  /[的一是了我不人在他有这个上们来到时大地为子中你说生国年着就那和要她出也得里后自以会家可下而过天去能对小多然于心学么之都好看起发当没成只如事把还用第样道想作种开美总从无情己面最女但现前些所同日手又行意动方期它头经长儿回位分爱老因很给名法间斯知世什两次使身者被高已亲其进此话常与活正感见明问力理尔点文几定本公特做外孩相西果走将月十实向声车全信重三机工物气每并别真打太新比才便夫再书部水像眼等体却加电主界门利海受听表德少克代员许先口由死安写性马光白或住难望教命花结乐色更拉东神记处让母父应直字场平报友关放至张认接告入笑内英军候民岁往何度山觉路带万男边风解叫任金快原吃妈变通师立象数四失满战远格士音轻目条呢]/u
/** The same for texts in traditional characters. Those that look the same in simplified Chinese are among them too. */
const FREQUENT_TRADITIONAL =
  /[的一是不我有在人了這大來他上們到中個說國和地也子時道出而要於就下得可你年生自會那後能對著事其裡所去行過家十用發天如然作方成者多日都三小軍二無同麼經法當起與好看學進種將還分此心前面又定見只主沒公從值則如設檔案讀取找果函數回傳配置空]/u
const isTraditionalChinese = (letters: readonly string[]): boolean =>
  share(letters, /[\u3041-\u3096\u30a1-\u30fc]/u) === 0 &&
  share(letters, FREQUENT_TRADITIONAL) >= 0.25 &&
  share(letters, /[\u3000-\u303f\u4e00-\u9fff\uff01-\uff5e\u2010-\u2026]/u) >= 0.98

/** The most frequent syllables of Korean texts. */
const FREQUENT_KOREAN =
  /[이다는의에을가를은로고하도지서한기사리자인스시어대정일부수나전해그들과라제으보원만장구상동주아조여있것선생공무경었위면습니합세요까]/u
const isKorean = (letters: readonly string[]): boolean =>
  share(letters, /[\uac00-\ud7a3]/u) >= 0.8 &&
  share(letters, FREQUENT_KOREAN) >= 0.4 &&
  share(letters, /[\u3000-\u303f\uac00-\ud7a3\u3131-\u318e\u4e00-\u9fff\uff01-\uff5e\u2010-\u2026]/u) >= 0.98

const isChinese = (letters: readonly string[]): boolean =>
  share(letters, /[\u3041-\u3096\u30a1-\u30fc]/u) === 0 &&
  share(letters, FREQUENT_CHINESE) >= 0.25 &&
  share(letters, /[\u3000-\u303f\u4e00-\u9fff\uff01-\uff5e\u2010-\u2026]/u) >= 0.98

/** Most letters of a Russian, Ukrainian or Bulgarian text are these frequent ones, and few are capitals. */
const isCyrillic = (letters: readonly string[]): boolean =>
  share(letters, /[оеаинтсрвлкмдпу]/u) >= 0.6 &&
  share(letters, /[\u0410-\u042f\u0401]/u) <= 0.3 &&
  share(letters, /[\u0400-\u045f№«»—–]/u) >= 0.98

/** Greek is missing, because most texts in Windows-1253 are also texts in ISO-8859-7, in which other letters have other bytes. */
const CANDIDATES: readonly Candidate[] = [
  { encoding: 'shift_jis', fits: isJapanese },
  { encoding: 'euc-jp', fits: isJapanese },
  { encoding: 'gb18030', fits: isChinese },
  { encoding: 'big5', fits: isTraditionalChinese },
  { encoding: 'euc-kr', fits: isKorean },
  { encoding: 'windows-1251', fits: isCyrillic },
  { encoding: 'koi8-r', fits: isCyrillic },
  { encoding: 'iso-8859-5', fits: isCyrillic },
  { encoding: 'ibm866', fits: isCyrillic },
]
