/** Every role, from most rights to least. */
export const roles = ['owner', 'member', 'viewer'] as const

export type Role = (typeof roles)[number]

/** Tells the role of a person whom the access check has let in. */
export type RoleOf = (person: string) => Role
