let given = false

/**
 * The diff and the terminal library add `<style>` elements, which the content security policy allows only with the nonce of the page. Gives the
 * nonce to every style element created from now on; call it before using such a library. Does nothing on a page without a nonce.
 */
export function giveStylesTheNonce(): void {
  if (given) return
  given = true
  // browsers hide the attribute from scripts, but not the property
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
