/** From here on the desk says that the context grows full, and here it is compacted: shares of the model's window (DESIGN §4). */
export const WARNS_AT = 0.8
export const COMPACTS_AT = 0.92
