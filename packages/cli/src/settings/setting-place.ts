/** The file that a setting came from, for error messages. */
export interface SettingPlace {
  readonly file: string
  line(path: readonly string[]): number | undefined
}

/** `turnbuckle.config.json:4: ` */
export function placePrefix(place: SettingPlace, path: readonly string[]): string {
  const line = place.line(path)
  return line === undefined ? `${place.file}: ` : `${place.file}:${line}: `
}
