/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * iommufd and VFIO device files in Linux 6.6, with the names of linux/iommufd.h
 * and linux/vfio.h: the headers of older systems lack them. User-space
 * interfaces of the kernel do not change. Their __reserved is `reserved` here.
 */
#ifndef PCB_COLLECT_VFIO_UAPI_IOMMUFD_H
#define PCB_COLLECT_VFIO_UAPI_IOMMUFD_H

#include <linux/ioctl.h>
#include <linux/types.h>
#include <linux/vfio.h>

/* ioctls of a device file. */
#ifndef VFIO_DEVICE_BIND_IOMMUFD
#define VFIO_DEVICE_BIND_IOMMUFD _IO(VFIO_TYPE, VFIO_BASE + 18)

struct vfio_device_bind_iommufd {
	__u32 argsz;
	__u32 flags;
	__s32 iommufd;
	__u32 out_devid;
};

#define VFIO_DEVICE_ATTACH_IOMMUFD_PT _IO(VFIO_TYPE, VFIO_BASE + 19)

struct vfio_device_attach_iommufd_pt {
	__u32 argsz;
	__u32 flags;
	__u32 pt_id;
};
#endif

/* ioctls of /dev/iommu. */
#define IOMMU_IOAS_ALLOC       _IO(';', 0x81)
#define IOMMU_IOAS_IOVA_RANGES _IO(';', 0x84)
#define IOMMU_IOAS_MAP         _IO(';', 0x85)
#define IOMMU_IOAS_UNMAP       _IO(';', 0x86)

#define IOMMU_IOAS_MAP_FIXED_IOVA 1
#define IOMMU_IOAS_MAP_WRITEABLE  2
#define IOMMU_IOAS_MAP_READABLE   4

struct iommu_ioas_alloc {
	__u32 size;
	__u32 flags;
	__u32 out_ioas_id;
};

struct iommu_iova_range {
	__aligned_u64 start;
	__aligned_u64 last;
};

struct iommu_ioas_iova_ranges {
	__u32 size;
	__u32 ioas_id;
	__u32 num_iovas;
	__u32 reserved;
	__aligned_u64 allowed_iovas;
	__aligned_u64 out_iova_alignment;
};

struct iommu_ioas_map {
	__u32 size;
	__u32 flags;
	__u32 ioas_id;
	__u32 reserved;
	__aligned_u64 user_va;
	__aligned_u64 length;
	__aligned_u64 iova;
};

struct iommu_ioas_unmap {
	__u32 size;
	__u32 ioas_id;
	__aligned_u64 iova;
	__aligned_u64 length;
};

#endif
