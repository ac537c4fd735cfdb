// The peer: NestJS with TypeORM and SQLite (better-sqlite3). Only the row is stored, no event; nothing is checked. Each
// insert is on disk (WAL, synchronous FULL) before it is answered: better-sqlite3's default leaves it to a later fsync.
import 'reflect-metadata'
import { join } from 'node:path'
import { Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { TypeOrmModule } from '@nestjs/typeorm'
import { Contract } from './contract.entity.js'
import { ContractsController } from './contracts.controller.js'
import { ContractsService } from './contracts.service.js'

@Module({
  imports: [
    TypeOrmModule.forRoot({
      type: 'better-sqlite3',
      database: join(process.env.DATA_DIR ?? '.', 'nest.db'),
      entities: [Contract],
      synchronize: true,
      enableWAL: true,
      prepareDatabase: (database) => database.pragma('synchronous = FULL'),
    }),
    TypeOrmModule.forFeature([Contract]),
  ],
  controllers: [ContractsController],
  providers: [ContractsService],
})
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: ['error'] })
await app.listen(0, '127.0.0.1')
console.log(`ready on ${await app.getUrl()}`)
