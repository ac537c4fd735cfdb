import { Body, Controller, Get, NotFoundException, Param, ParseIntPipe, Post } from '@nestjs/common'
import type { NewContract } from '../answer.js'
import type { Contract } from './contract.entity.js'
import { ContractsService } from './contracts.service.js'

@Controller('contracts')
export class ContractsController {
  constructor(private readonly contracts: ContractsService) {}

  @Get(':id')
  async findOne(@Param('id', ParseIntPipe) id: number): Promise<Contract> {
    const found = await this.contracts.findOne(id)
    if (!found) throw new NotFoundException()
    return found
  }

  @Post()
  create(@Body() body: NewContract): Promise<Contract> {
    return this.contracts.create(body)
  }
}
