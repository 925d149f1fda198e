/* tests/support/table_samples.h - tables as profilers of GPUs, programmable logic and hosts write them, with invented rows. */
#ifndef ROOF_TESTS_TABLE_SAMPLES_H
#define ROOF_TESTS_TABLE_SAMPLES_H

#define TS_KERNEL_TRACE                                                                                      \
    "\"Kind\",\"Agent_Id\",\"Dispatch_Id\",\"Kernel_Name\",\"Start_Timestamp\",\"End_Timestamp\"\n"          \
    "\"KERNEL_DISPATCH\",1,1,\"void gemm<float, 4>(float*)\",8819330200067564,8819330200069564\n"            \
    "\"KERNEL_DISPATCH\",1,2,\"relu\",8819330200070001,8819330200070501\n"                                   \
    "\"KERNEL_DISPATCH\",1,3,\"void gemm<float, 4>(float*)\",8819330200071000,8819330200075000\n"

#define TS_COPY_TRACE                                                                                        \
    "\"Kind\",\"Direction\",\"Source_Agent_Id\",\"Start_Timestamp\",\"End_Timestamp\"\n"                     \
    "\"MEMORY_COPY\",\"MEMORY_COPY_HOST_TO_DEVICE\",0,100,350\n"

#define TS_ROCPROF_V1                                                                                        \
    "Index,KernelName,gpu-id,DispatchNs,BeginNs,EndNs,CompleteNs\n"                                          \
    "0,\"conv\",0,1000,2000,2500,2600\n1,\"conv\",0,3000,5000,4000,5100\n"

#define TS_ROCPROF_STATS                                                                                     \
    "\"Name\",\"Calls\",\"TotalDurationNs\",\"AverageNs\",\"Percentage\",\"MinNs\",\"MaxNs\",\"StdDev\"\n"   \
    "\"hipMalloc\",4,4000,1000.0,80.0,500,1500,0.00000000e+00\n\"gemm\",2,1000,500.0,20.0,400,600,1.0\n"

#define TS_ROCPROF_COMPUTE                                                                                   \
    "Dispatch_ID,GPU_ID,Workgroup_Size,Kernel_Name,SQ_WAVES,Start_Timestamp,End_Timestamp\n"                 \
    "0,2,64,\"copy(double*, int)\",16384.0,1412702536508356,1412702536528996\n"                              \
    "1,2,64,\"copy(double*, int)\",16384.0,1412702536548036,1412702536563396\n"

#define TS_NSYS_SUM                                                                                          \
    "NOTICE: Existing SQLite export found: \"a\".sqlite\nProcessing [a.sqlite] with "                        \
    "[nsys/reports/cuda_gpu_kern_sum.py]...\n\n"                                                             \
    "Time (%),Total Time (us),Instances,Avg (us),Med (us),Min (us),Max (us),StdDev (us),Name\n"              \
    "75.0,3000.000,30,100.000,99.000,90.000,120.000,5.000,\"void gemm<float, 4>(float *)\"\n"                \
    "25.0,1000.000,10,100.000,100.000,100.000,100.000,,relu\n\n"                                             \
    "Processing [a.sqlite] with [nsys/reports/cuda_api_sum.py]...\n\n"                                       \
    "Time (%),Total Time (us),Num Calls,Avg (us),Med (us),Min (us),Max (us),StdDev (us),Name\n"              \
    "100.0,5.000,1,5.000,5.000,5.000,5.000,0.000,cudaMalloc\n\n"                                             \
    "Time(%),Total Time (ns),Instances,Average,Minimum,Maximum,Name\n"                                       \
    "100.0,800,2,400.0,300,500,softmax\n"

#define TS_NSYS_GPU_SUM                                                                                      \
    "Time (%),Total Time (ns),Instances,Avg (ns),Category,Operation\n"                                       \
    "60.0,600,2,300.0,CUDA_KERNEL,relu\n30.0,300,1,300.0,MEMORY_OPER,[CUDA memset]\n"                        \
    "10.0,100,1,100.0,CUDA_API,cudaMalloc\n"

#define TS_NSYS_TRACE                                                                                        \
    "Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,Bytes (MB),Device,Strm,Name\n"                           \
    "1000,2000,1,,,,4.194,T4 (0),7,[CUDA memcpy Host-to-Device]\n"                                           \
    "4000,1500,2,10,1,1,,T4 (0),7,\"void k<int, 4>(int)\"\n6000,1700,3,10,1,1,,T4 (0),7,\"void k<int, "      \
    "4>(int)\"\n"

#define TS_NCU_HEAD                                                                                          \
    "\"ID\",\"Process ID\",\"Kernel Name\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric "       \
    "Value\",\"Rule Name\"\n"
#define TS_NCU_ROW(id, name, metric, unit, value)                                                            \
    "\"" id "\",\"61\",\"" name "\",\"Section\",\"" metric "\",\"" unit "\",\"" value "\",\n"

#define TS_NCU_LONG                                                                                          \
    "==PROF== Connected to process 61 (/usr/bin/a)\nhello, \"world\n" TS_NCU_HEAD TS_NCU_ROW(                \
        "0", "a(int, int)", "SM Frequency", "Ghz", "1.25") TS_NCU_ROW("0", "a(int, int)", "Elapsed Cycles",  \
                                                                      "cycle", "2,500,000")                  \
        TS_NCU_ROW("0", "a(int, int)", "Memory Throughput", "%", "50.00")                                    \
            TS_NCU_ROW("0", "a(int, int)", "Memory Throughput", "Gbyte/second", "200.00")                    \
                TS_NCU_ROW("0", "a(int, int)", "Duration", "msecond", "2.00")                                \
                    TS_NCU_ROW("0", "a(int, int)", "Compute (SM) Throughput", "%", "40.00")                  \
                        TS_NCU_ROW("0", "a(int, int)", "Cache Config", "",                                   \
                                   "PreferNone") "\"0\",\"61\",\"a(int, "                                    \
                                                 "int)\",\"Section\",\"\",\"\",\"\",\"Rule\"\n" TS_NCU_ROW(  \
                                                     "1", "b", "Duration", "usecond", "500.00")

/* With a point between thousands, as ncu writes where the locale has one. */
#define TS_NCU_WIDE                                                                                          \
    "\"ID\",\"Kernel Name\",\"dram__bytes_read.sum\",\"dram__bytes_write.sum\",\"gpu__time_duration.sum\","  \
    "\"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum\","                                               \
    "\"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum\","                                               \
    "\"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum\",\"lts__t_bytes.sum\"\n"                         \
    "\"\",\"\",\"byte\",\"Kbyte\",\"ns\",\"inst\",\"inst\",\"inst\",\"byte\"\n"                              \
    "\"0\",\"a\",\"27.595.520\",\"1,5\",\"117.344\",\"1.000\",\"2.000\",\"4.000\",\"64\"\n"

#define TS_XRT_SUMMARY                                                                                       \
    "Profile Summary\nGenerated on: 2026-01-01\nTool version: 2024.2\nFlow mode: Hardware Emulation\n\n"     \
    "Compute Unit Utilization\nDevice,Compute Unit,Kernel,Number Of Calls,Total Time (ms),Minimum Time "     \
    "(ms),"                                                                                                  \
    "Average Time (ms),Maximum Time (ms),Clock Frequency (MHz),\n"                                           \
    "edge-0,load_1,load,2,1.0,0.4,0.5,0.6,150,\nedge-0,store_1,store,2,0.5,0.25,0.25,0.25,150,\n"            \
    "edge-0,idle_1,idle,0,0,0,0,0,150,\n\n"                                                                  \
    "Data Transfer: Kernels to Global Memory\nDevice,Compute Unit/Port Name,Kernel Arguments,Transfer "      \
    "Type,Number Of Transfers,Transfer Rate (MB/s),Average Size (KB),Average Latency (ns),\n"                \
    "edge-0,load_1/gmem0,in,READ,10,1,4.096,200,\nedge-0,store_1/gmem1,out,WRITE,4,1,4.096,200,\n"           \
    "edge-0,store_1/gmem1,out,READ,1,1,1.84467e+16,200,\n\n"                                                 \
    "Guidance Parameters\nParameter,Element,Value,\nPORT_BIT_WIDTH,load_1/gmem0,256,\n"                      \
    "PORT_BIT_WIDTH,store_1/gmem1,512,\nTOTAL_KERNEL_RUN_TIME_MS,all,-26.9,\n"

#define TS_XRT_TRACE                                                                                         \
    "HEADER\nVTF File Version,1.1\nVTF File Type,0\n\nSTRUCTURE\n"                                           \
    "Group_Start,Compute Unit load_1,Activity in accelerator load:load_1\n"                                  \
    "Dynamic_Row_Summary,1,Executions,Execution in accelerator load_1\nGroup_End,load_1\n"                   \
    "Group_Start,Compute Unit store_1,Activity in accelerator store:store_1\n"                               \
    "Dynamic_Row_Summary,4,Executions,Execution in accelerator store_1\nGroup_End,store_1\n"                 \
    "MAPPING\n1,load_1\nEVENTS\n"                                                                            \
    "1,0,10.5,1,KERNEL,1,1\n3,1,10.75,1,KERNEL,1,1\n2,0,11.0,4,KERNEL,2,2\n4,0,11.0,2,KERNEL_READ,2,2\n"     \
    "5,2,10.25,4,KERNEL,2,2\n7,6,12.5,4,KERNEL,2,2\n6,0,12.25,4,KERNEL,2,2\n8,99,13,4,KERNEL,2,2\n9,6,12."   \
    "75,1,KERNEL,1,1\n"                                                                                      \
    "DEPENDENCIES\n1,2\n"

#define TS_VTUNE                                                                                             \
    "Function\tCPU Time\tCPU Time:Effective Time\tModule\tFunction (Full)\n"                                 \
    "gemm\t1.5\t1.5\tlibx.so\tgemm(int, int)\nrelu\t0.25\t0.2\tlibx.so\trelu()\n"

#define TS_ADVISOR                                                                                           \
    "Intel Advisor\nProgram: a\n\n"                                                                          \
    "ID,Function Call Sites and Loops,Type,Total Time,Self Time,Self GFLOPS\n"                               \
    "1,[loop in main at a.c:3],Scalar,0.5s,0.120s,2.5\n2,main,Function,1.0s,0.880s,\n"

#define TS_STREAMLINE                                                                                        \
    "Self,% Self,Instances,Function Name,Location,Image\n30,75.00,1,gemm,a.c:3,a\n10,25.00,1,relu,a.c:9,a\n"

#endif
