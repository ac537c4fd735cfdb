import type { Scope } from '../../api-keys/scopes.ts'
import type { BusinessesServiceService } from '../../gen/mint/businesses/v1/businesses.ts'
import type { ClientsServiceService } from '../../gen/mint/contracts/v1/clients.ts'
import type { ClosingServiceService } from '../../gen/mint/contracts/v1/closing.ts'
import type { ContractsServiceService } from '../../gen/mint/contracts/v1/contracts.ts'
import type { DeadLettersServiceService } from '../../gen/mint/contracts/v1/dead_letters.ts'
import type { ReportsServiceService } from '../../gen/mint/contracts/v1/reports.ts'
import type { RelayServiceService } from '../../gen/mint/operations/v1/relay.ts'
import type { StatusServiceService } from '../../gen/mint/operations/v1/status.ts'

/** The path of a method that callers with an API key may call. */
export type MethodPath = PathOf<
  | typeof BusinessesServiceService
  | typeof ClientsServiceService
  | typeof ClosingServiceService
  | typeof ContractsServiceService
  | typeof DeadLettersServiceService
  | typeof RelayServiceService
  | typeof ReportsServiceService
  | typeof StatusServiceService
>

type PathOf<Definition> = Definition extends unknown
  ? Definition[keyof Definition] extends { readonly path: infer Path }
    ? Path & string
    : never
  : never

/** The scope that an API key needs for each method, as in REST. All other methods are for Mint's own processes. */
export const METHOD_SCOPES: Readonly<Record<MethodPath, Scope>> = {
  '/mint.contracts.v1.ContractsService/GetContract': 'contracts:read',
  '/mint.contracts.v1.ContractsService/ListContracts': 'contracts:read',
  '/mint.contracts.v1.ContractsService/ListContractHistory': 'contracts:read',
  '/mint.contracts.v1.ContractsService/CheckNewContracts': 'contracts:write',
  '/mint.contracts.v1.ContractsService/CreateContract': 'contracts:write',
  '/mint.contracts.v1.ContractsService/EditContract': 'contracts:write',
  '/mint.contracts.v1.ReportsService/ReportContracts': 'contracts:read',
  '/mint.contracts.v1.ReportsService/ListContractChanges': 'contracts:read',
  '/mint.contracts.v1.ClientsService/GetClient': 'clients:read',
  '/mint.contracts.v1.ClientsService/ListClients': 'clients:read',
  '/mint.contracts.v1.ClientsService/ListClientsByName': 'clients:read',
  '/mint.contracts.v1.ClientsService/ListClientNames': 'clients:read',
  '/mint.contracts.v1.ClosingService/GetClosing': 'contracts:read',
  '/mint.contracts.v1.ClosingService/ListClosingHistory': 'contracts:read',
  '/mint.contracts.v1.ClosingService/SetClosing': 'closing:write',
  '/mint.contracts.v1.DeadLettersService/ListDeadLetters': 'operations:read',
  '/mint.contracts.v1.DeadLettersService/ReplayDeadLetters': 'operations:write',
  '/mint.operations.v1.StatusService/GetStatus': 'operations:read',
  '/mint.operations.v1.RelayService/PublishAgain': 'operations:write',
  '/mint.businesses.v1.BusinessesService/GetBusiness': 'businesses:read',
  '/mint.businesses.v1.BusinessesService/GetBusinessByClientId': 'businesses:read',
  '/mint.businesses.v1.BusinessesService/ListBusinesses': 'businesses:read',
  '/mint.businesses.v1.BusinessesService/ListBusinessHistory': 'businesses:read',
  '/mint.businesses.v1.BusinessesService/CreateBusiness': 'businesses:write',
  '/mint.businesses.v1.BusinessesService/CheckNewBusinesses': 'businesses:write',
  '/mint.businesses.v1.BusinessesService/EditBusiness': 'businesses:write',
}
