import { businessFields } from '../../shared/fields/business-fields.ts'
import { computedNamesOf } from '../../shared/fields/field-table.ts'
import type { Business, BusinessesService } from '../../shared/gen/mint/businesses/v1/businesses.ts'
import { businessColumns } from '../csv/columns.ts'
import { businessesIn } from '../csv/in/businesses.ts'
import { businessHistoryPage, businessPage, businessRecord, businessShape } from '../records/business-record.ts'
import * as rules from '../schemas/business.ts'
import type { KeyNames } from './authors.ts'
import { csvInEndpoint } from './csv-in.ts'
import type { Route } from './endpoint.ts'
import { recordRoutes } from './records.ts'

/** The routes of businesses, backed by their service. */
export function businessRoutes(businesses: BusinessesService, keys: KeyNames): readonly Route[] {
  return recordRoutes(
    {
      one: 'business',
      many: 'businesses',
      shape: businessShape,
      page: businessPage,
      historyPage: businessHistoryPage,
      toRecord: businessRecord,
      path: rules.businessPath,
      listQuery: rules.businessListQuery,
      exportQuery: rules.businessExportQuery,
      newRecord: rules.newBusiness,
      changes: rules.businessChanges,
      computed: computedNamesOf(businessFields),
      csv: businessColumns,
      csvIn: csvInEndpoint({ many: 'businesses', kind: businessesIn(businesses), example: EXAMPLE_FILE }),
      aboutCreation: 'The business is also a Client, with `clientType` `business` and the `clientId` in the answer.',
      list: (query, context) => businesses.listBusinesses(query, context),
      recordsOf: (page) => page.businesses,
      get: (request, context) => businesses.getBusiness(request, context),
      create: (fields, context) => businesses.createBusiness(fields, context),
      edit: (request, context) => businesses.editBusiness(request, context),
      recordOf: (response: { readonly business?: Business | undefined }) => response.business,
      history: (request, context) => businesses.listBusinessHistory(request, context),
    },
    keys,
  )
}

const EXAMPLE_FILE = 'legalName,operatedAs,email\r\nÉcole Montréal Ltée,École Montréal,bonjour@example.com\r\n'
