/** The section of the settings that the page's address names: `/settings/SECTION`. Empty for `/settings`, which shows the first. */
export const settingsInAddress = (): string | undefined => {
  const found = /^\/settings(?:\/([a-z]+))?$/.exec(location.pathname)
  return found ? (found[1] ?? '') : undefined
}

/** The address of a section; of the settings as such without one. */
export const settingsAddress = (section = ''): string => (section ? `/settings/${section}` : '/settings')
