/** A mail address or a web address in a text. */
export const ADDRESS_TOKEN: RegExp =
  /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}|(?:[a-z][a-z0-9+.-]{1,20}:\/\/|www\.)[^\s"'<>()|;]+/giu;
