/// What gameData.ts reads from the data when the page is built.
declare module 'virtual:game-data' {
  export const flights: readonly { id: string; name: string; meaning: string }[];
  export const policies: readonly string[];
  export const defaults: { readonly policy?: string; readonly flight?: string };
  /// `text`: XWS.
  export const squads: readonly { name: string; text: string }[];
}
