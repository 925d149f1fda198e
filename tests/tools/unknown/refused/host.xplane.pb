
	/host:CPUTask Environment
