import { providers } from './providers.ts'
import { truncations } from './truncations.ts'

truncations(providers.filter(({ protocol }) => protocol === 'responses'))
