import { Option } from 'commander'
import { SERVICE_PARTS, type ServicePart } from '../../shared/kinds/kind.ts'

/** The parsed value of `partOption`; absent: both services. */
export interface PartOption {
  readonly part?: ServicePart
}

/** `--part`: one of the services that publish their logs. */
export const partOption = (about: string): Option => new Option('--part <part>', about).choices(SERVICE_PARTS)
