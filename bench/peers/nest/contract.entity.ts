import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm'

@Entity('contracts')
export class Contract {
  @PrimaryGeneratedColumn()
  id!: number

  @Index()
  @Column()
  clientId!: string

  @Column()
  serviceName!: string

  @Column()
  serviceType!: string

  @Column('float')
  serviceFee!: number

  @Column('float')
  taxPercent!: number

  @Column('float')
  totalFeeWithTax!: number

  @Column()
  serviceDate!: string

  @Column()
  notes!: string

  @Column()
  createdAt!: string

  @Column()
  updatedAt!: string
}
