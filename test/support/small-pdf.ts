import { Buffer } from 'node:buffer'

/** Returns a PDF with one line of text on each page, as small as the format allows. */
export function pdfOf(...lines: readonly string[]): Buffer {
  const pages = lines.map((line, index) => {
    const content = `BT /F1 12 Tf 72 700 Td (${line}) Tj ET`
    const page = 4 + index * 2
    const stream = 5 + index * 2
    return {
      name: `${page} 0 R`,
      objects: [
        `${page} 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${stream} 0 R /Resources << /Font << /F1 3 0 R >> >> >>\nendobj\n`,
        `${stream} 0 obj\n<< /Length ${content.length} >>\nstream\n${content}\nendstream\nendobj\n`,
      ],
    }
  })
  const objects = [
    '1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n',
    `2 0 obj\n<< /Type /Pages /Kids [${pages.map(({ name }) => name).join(' ')}] /Count ${pages.length} >>\nendobj\n`,
    '3 0 obj\n<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>\nendobj\n',
    ...pages.flatMap((page) => page.objects),
  ]
  let text = '%PDF-1.4\n'
  const places = objects.map((object) => {
    const at = text.length
    text += object
    return `${String(at).padStart(10, '0')} 00000 n \n`
  })
  const size = objects.length + 1
  const end = `xref\n0 ${size}\n0000000000 65535 f \n${places.join('')}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF`
  return Buffer.from(text + end, 'latin1')
}
