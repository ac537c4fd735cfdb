import { Injectable } from '@nestjs/common'
import { InjectRepository } from '@nestjs/typeorm'
import type { Repository } from 'typeorm'
import { contractOf, type NewContract } from '../answer.js'
import { Contract } from './contract.entity.js'

@Injectable()
export class ContractsService {
  constructor(@InjectRepository(Contract) private readonly contracts: Repository<Contract>) {}

  findOne(id: number): Promise<Contract | null> {
    return this.contracts.findOneBy({ id })
  }

  create(body: NewContract): Promise<Contract> {
    // Without a transaction around the one insert: requests share TypeORM's one connection, and would end each other's.
    return this.contracts.save(this.contracts.create(contractOf(body)), { transaction: false })
  }
}
