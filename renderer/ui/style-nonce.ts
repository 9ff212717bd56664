let given = false

/**
 * Gives the page's nonce to every style element that is created from now on. The diff and terminal libraries add `<style>` elements,
 * which the content security policy allows only with this nonce. Must be called before such a library is used. Does nothing on a page
 * without a nonce.
 */
export function giveStylesTheNonce(): void {
  if (given) return
  given = true
  // Browsers hide the attribute from scripts, but not the property.
  const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce
  if (!nonce) return
  // oxlint-disable-next-line typescript/no-deprecated -- only its overload for tags of long ago is
  const create = document.createElement.bind(document)
  // oxlint-disable-next-line typescript/no-deprecated -- the same
  document.createElement = (name: string, options?: ElementCreationOptions): HTMLElement => {
    const element = create(name, options)
    if (element instanceof HTMLStyleElement) element.nonce = nonce
    return element
  }
}
