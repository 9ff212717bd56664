import type { OldEncoding } from '../../shared/encodings/old-encoding.ts'

/** Texts in older encodings: the encoding, its bytes as base64 made by another program, the text, and a word in it. */
export const OLD_TEXTS: readonly (readonly [encoding: OldEncoding, base64: string, text: string, word: string])[] = [
  [
    'shift_jis',
    'Ly8gkN2S6IN0g0CDQ4OLgvCTx4LdjZ6C3YLcgreBQpVcjqaCt4LplFyXzYKqgsiCoo/qjYeCzYNHg4mBWwpjb25zdCBuYW1lID0gIpOMi56DXIN0g2ciCg==',
    '// 設定ファイルを読み込みます。表示する能力がない場合はエラー\nconst name = "東京ソフト"\n',
    '能力',
  ],
  [
    'euc-jp',
    'IyCks6TspM/G/MvcuOykzsDfxOql1aWhpaSl66THpLmho8PNpPLK0bm5pLekxqSvpMCktaSkCm5hbWUgPSAiwue65SIK',
    '# これは日本語の設定ファイルです。値を変更してください\nname = "大阪"\n',
    '変更',
  ],
  [
    'gb18030',
    'Ly8g1eLKx9K7uPbTw8C0tsHIocXk1sPOxLz+tcS6r8r9o6zI57n7w7vT0NXStb2+zbe1u9i/1da1CmxldCBuYW1lID0gIrGxvqkiCg==',
    '// 这是一个用来读取配置文件的函数，如果没有找到就返回空值\nlet name = "北京"\n',
    '配置',
  ],
  [
    'big5',
    'Ly8gs2+t06jnvMbFqqj6s12pd8DJrtehQaZwqkeoU6azp+So7LROpl62x6rFrcgKbGV0IG5hbWUgPSAiu0+lXyIK',
    '// 這個函數讀取設定檔案，如果沒有找到就回傳空值\nlet name = "臺北"\n',
    '設定',
  ],
  [
    'euc-kr',
    'Ly8gwMwgx9S89rTCILyzwaQgxsTAz8C7IMDQsO0gsKrAuyC1ubfBwd20z7TZCm5hbWUgPSAivK2/7yIK',
    '// 이 함수는 설정 파일을 읽고 값을 돌려줍니다\nname = "서울"\n',
    '설정',
  ],
  [
    'windows-1251',
    'Ly8g1PPt6vbo/yD36PLg5fIg7eDx8vDu6eroIOjnIPTg6evgIOgg4u7n4vDg+eDl8iDn7eD35e3o5QpuYW1lID0gIszu8eri4CIK',
    '// Функция читает настройки из файла и возвращает значение\nname = "Москва"\n',
    'настройки',
  ],
  [
    'koi8-r',
    'IyDm1c7Lw8nRIN7J1MHF1CDOwdPU0s/Ky8kgydogxsHKzMEgySDXz9rX0sHdwcXUINrOwd7FzsnFCm5hbWUgPSAi7c/Ty9fBIgo=',
    '# Функция читает настройки из файла и возвращает значение\nname = "Москва"\n',
    'настройки',
  ],
  [
    'iso-8859-5',
    'IyDE493a5tjvIOfY4tDV4iDd0OHi4N7Z2tgg2Ncg5NDZ29Ag2CDS3tfS4NDp0NXiINfd0OfV3djVCm5hbWUgPSAivN7h2tLQIgo=',
    '# Функция читает настройки из файла и возвращает значение\nname = "Москва"\n',
    'настройки',
  ],
  [
    'ibm866',
    'cmVtIJTjrarmqO8g56jioKXiIK2g4eLgrqmqqCCopyDkoKmroCCoIKKup6LgoOmgpeIgp62g56WtqKUKc2V0IG5hbWU9jK7hqqKgCg==',
    'rem Функция читает настройки из файла и возвращает значение\nset name=Москва\n',
    'настройки',
  ],
  [
    'windows-1252',
    'Ly8gRGllIEdy9t9lIGb8ciDEcGZlbCwgZOlq4CB2dSB1bmQgbmHvdmUgRmHnYWRlCg==',
    '// Die Größe für Äpfel, déjà vu und naïve Façade\n',
    'Größe',
  ],
]

/** A text of 500 KB with these bytes again and again after 1,000 comments in ASCII, in lines or as a single line. */
export function longText(base64: string, separator: string): Uint8Array {
  const bytes = Buffer.from(base64, 'base64').map((byte) => (byte === 0x0a ? separator.charCodeAt(0) : byte))
  const header = Buffer.from(`// A line of ASCII${separator}`.repeat(1000))
  return Buffer.concat([header, ...Array.from({ length: Math.floor((480 * 1024) / bytes.length) }, () => bytes)])
}
